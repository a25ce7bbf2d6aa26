/**
 * What the demo shows: {@code Layout} turns an immutable {@code View} into lines for a size and a
 * look, and knows no terminal. {@code Terminal} is the edge: it sets the terminal up, draws lines,
 * reads keys, and puts back what it found. {@code LiveScreen} and {@code PlainScreen} join both.
 */
@NullMarked
package io.lockstep.demo.screen;

import org.jspecify.annotations.NullMarked;
