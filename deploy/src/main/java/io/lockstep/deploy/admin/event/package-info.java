/**
 * Events of the network as a stream over the admin HTTP: a bounded log of the newest ones, and for
 * each client a place in it.
 */
@NullMarked
package io.lockstep.deploy.admin.event;

import org.jspecify.annotations.NullMarked;
