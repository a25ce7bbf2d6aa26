/**
 * Which connection may be which switch: by the certificate that it shows, or, without TLS, by its
 * address. Pure rules; the channel asks them when a connection speaks first and again when it names
 * its datapath id. Neighbours: {@code channel} imports it, {@code deploy} makes the rules.
 */
@NullMarked
package io.lockstep.openflow.channel.access;

import org.jspecify.annotations.NullMarked;
