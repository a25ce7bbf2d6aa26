/**
 * What makes replicas fail: processes that are killed and stopped, relays between them that cut
 * them off, and the plan by which it happens.
 */
@NullMarked
package io.lockstep.history.nemesis;

import org.jspecify.annotations.NullMarked;
