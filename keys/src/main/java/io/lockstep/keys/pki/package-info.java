/**
 * The authority of a cluster: makes keys and certificates, renews and revokes them, as files. Only
 * commands use it. No running node loads a class of this room, and no other room knows the library
 * that it stands on.
 */
@NullMarked
package io.lockstep.keys.pki;

import org.jspecify.annotations.NullMarked;
