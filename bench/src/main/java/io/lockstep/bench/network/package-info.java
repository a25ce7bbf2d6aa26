/**
 * {@code bench network}: an emulated network of up to a thousand switches at three node processes,
 * phase by phase. {@code NetworkCommand} is the entrance, {@code NetworkRun} the order of the
 * phases.
 */
@NullMarked
package io.lockstep.bench.network;

import org.jspecify.annotations.NullMarked;
