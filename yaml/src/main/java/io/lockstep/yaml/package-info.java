/**
 * Reads the YAML files that people write: node configurations, switch profiles and topologies. A
 * {@link io.lockstep.yaml.YamlDocument} is read key by key through {@link
 * io.lockstep.yaml.Section}. Reading goes on behind a mistake, so that all {@link
 * io.lockstep.yaml.Problem}s of a file appear at once, each with its place, key and remedy. Knows
 * nothing of what the files mean, and imports no other module.
 */
@NullMarked
package io.lockstep.yaml;

import org.jspecify.annotations.NullMarked;
