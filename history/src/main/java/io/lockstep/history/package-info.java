/**
 * Histories of the store under faults: clients and watchers ({@code load}, {@code watch}) against
 * replicas ({@code replica}) that a nemesis ({@code nemesis}) kills, stops and cuts off; what they
 * saw goes into a file ({@code file}) and is checked ({@code check}).
 */
@NullMarked
package io.lockstep.history;

import org.jspecify.annotations.NullMarked;
