/**
 * What the comparison asks of every store: the paper's workloads as data, the closed loop that runs
 * them, and the mains of the server and load processes. An adapter per store carries the operations
 * out; it is alone with this package and its store's own client on a class path, so this package
 * depends on nothing but a histogram. Neighbours: the adapters, and {@code
 * io.lockstep.bench.peers}, which starts the processes.
 */
@NullMarked
package io.lockstep.bench.compare;

import org.jspecify.annotations.NullMarked;
