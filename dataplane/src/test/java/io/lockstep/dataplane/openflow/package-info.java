/** Tests of the agent over real TCP, against a small controller that does what a test tells it. */
@NullMarked
package io.lockstep.dataplane.openflow;

import org.jspecify.annotations.NullMarked;
