/**
 * {@code lockstep demo}: three nodes as processes, an emulated network in this one, pings between
 * all hosts, and the loss of a node. {@code DemoStage} owns what runs. {@code Demo} tells the story
 * without a terminal, {@code LiveDemo} on one, where the user may act: {@code UserActions}. Package
 * {@code screen} draws; {@code emulate} is a command of its own.
 */
@NullMarked
package io.lockstep.demo;

import org.jspecify.annotations.NullMarked;
