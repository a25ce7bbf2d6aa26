/**
 * What commands that ask nodes have in common: whom they ask, in which form they show what they
 * found, and what they say where a node refuses.
 */
@NullMarked
package io.lockstep.deploy.cli.request;

import org.jspecify.annotations.NullMarked;
