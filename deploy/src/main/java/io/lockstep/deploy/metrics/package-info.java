/**
 * What {@code /metrics} shows: families of metrics by the conventions of Prometheus. A scrape reads
 * counters that the parts of the node keep anyway, on the thread of the request; between scrapes
 * nothing runs here (docs/adr/0040).
 *
 * <p>{@link io.lockstep.deploy.metrics.NodeMetrics} asks each class named {@code ...Families} for
 * its share. Neighbours: {@code node} says what runs, {@code admin} sends the text.
 */
@NullMarked
package io.lockstep.deploy.metrics;

import org.jspecify.annotations.NullMarked;
