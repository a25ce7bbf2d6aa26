package io.lockstep.core.app;

import org.onosproject.net.ConnectPoint;

/** One direction of a cable between two switches: what {@code from} sends arrives at {@code to}. */
public record KnownLink(ConnectPoint from, ConnectPoint to) {}
