/**
 * Histories of the store under faults: clients and watchers ({@code history.load}, {@code
 * history.watch}) against replicas ({@code history.replica}) that a nemesis ({@code
 * history.nemesis}) kills, stops and cuts off; what they saw goes into a file ({@code
 * history.file}) and is checked ({@code history.check}).
 */
@NullMarked
package io.lockstep.bench.history;

import org.jspecify.annotations.NullMarked;
