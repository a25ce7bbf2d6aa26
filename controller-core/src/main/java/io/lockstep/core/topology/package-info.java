/**
 * The shape of the network, computed from links alone: graph, clusters, paths and the one broadcast
 * tree on which packets are flooded. The computation is pure, so every node comes to the same tree
 * from the same links; the tracker follows the tables and publishes immutable pictures.
 */
@NullMarked
package io.lockstep.core.topology;

import org.jspecify.annotations.NullMarked;
