/**
 * Starts nodes as processes of their own: ports that do not collide, configuration files, the
 * processes themselves. The demo and the integration tests stand on it.
 */
@NullMarked
package io.lockstep.deploy.launch;

import org.jspecify.annotations.NullMarked;
