/**
 * {@code lockstep emulate}: an emulated network in this process, before controllers that run
 * elsewhere. {@code EmulateCommand} is the entrance; {@code Emulation} owns what runs; {@code
 * ProgressLog} decides what is worth a line, and {@code Summary} is what is written at the end.
 */
@NullMarked
package io.lockstep.demo.emulate;

import org.jspecify.annotations.NullMarked;
