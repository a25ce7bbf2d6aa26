/**
 * The application model: pure decision logic over events and store replies. An application owns no
 * socket, thread or clock and calls no service; the node, the tests and the benchmarks run the same
 * object.
 */
@NullMarked
package io.lockstep.core.app;

import org.jspecify.annotations.NullMarked;
