/**
 * What each process of the product has in common: its version, and how it ends, with an exit code,
 * a cause and a remedy. A leaf: commands, the demo and the parts of a node import it, and it
 * imports no other room of this module.
 */
@NullMarked
package io.lockstep.deploy.process;

import org.jspecify.annotations.NullMarked;
