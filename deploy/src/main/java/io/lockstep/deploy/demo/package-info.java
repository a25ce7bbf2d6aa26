/**
 * {@code lockstep demo}: three nodes as processes, an emulated network in this one, pings between
 * all hosts, and the loss of a node. {@code Demo} tells the story; the others keep count and draw.
 */
@NullMarked
package io.lockstep.deploy.demo;

import org.jspecify.annotations.NullMarked;
