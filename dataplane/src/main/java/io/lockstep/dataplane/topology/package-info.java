/**
 * What an emulated network looks like: switches, links and hosts as values, made by generators, by
 * hand or from a YAML file. Describes only; {@code network} builds it.
 */
@NullMarked
package io.lockstep.dataplane.topology;

import org.jspecify.annotations.NullMarked;
