/**
 * Benchmarks: each sub-package mirrors the part it loads. {@code openflow} plays switches against
 * controllers, {@code store} drives the replicated store, {@code cluster} starts whole nodes,
 * {@code core} times the pure state machine; {@code measure} holds clocks and histograms, {@code
 * process} the directory and CPU time of children, {@code result} the files under {@code
 * bench/results}, {@code drawing} curves and bars, {@code page} the papers' figures beside ours.
 * The fault runs are the module {@code history}; what both use is {@code runs}, a module of its
 * own. Nothing imports this module.
 */
@NullMarked
package io.lockstep.bench;

import org.jspecify.annotations.NullMarked;
