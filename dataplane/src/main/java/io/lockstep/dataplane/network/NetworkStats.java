package io.lockstep.dataplane.network;

/**
 * Sums over the whole network since its start.
 *
 * @param framesCarried frames delivered by cables
 * @param framesLost frames lost on cables: cut or queue full
 * @param packetsDropped packets that ended inside switches
 * @param packetInsSent packet-in messages, one per controller that got it
 * @param packetInsDropped packet-ins no controller got
 * @param packetOuts packet-out messages received
 * @param flowMods flow-mod messages received
 * @param errorsSent error messages to controllers
 * @param controllerConnections HELLO exchanges completed, reconnections included
 */
public record NetworkStats(
    long framesCarried,
    long framesLost,
    long packetsDropped,
    long packetInsSent,
    long packetInsDropped,
    long packetOuts,
    long flowMods,
    long errorsSent,
    long controllerConnections) {}
