/**
 * One YAML file becomes one immutable {@link io.lockstep.deploy.config.NodeSettings}, or a list of
 * everything that is wrong with it, each with its place and its remedy. Nothing here opens a socket
 * or knows what the settings are used for.
 */
@NullMarked
package io.lockstep.deploy.config;

import org.jspecify.annotations.NullMarked;
