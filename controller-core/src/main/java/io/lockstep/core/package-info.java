/**
 * The controller node. {@code southbound} is what it asks of a protocol, {@code app} what it offers
 * to applications; the other rooms hold onos-api's services over the store.
 */
@NullMarked
package io.lockstep.core;

import org.jspecify.annotations.NullMarked;
