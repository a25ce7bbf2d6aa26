package io.lockstep.deploy.node;

import org.onosproject.net.DeviceId;

/** Datapath ids as reports show them: 16 hex digits. Pure. */
final class Dpids {
  private static final String SCHEME = "of:";

  private Dpids() {}

  /** The datapath id of a switch; the whole id where it is of another scheme. */
  static String text(DeviceId device) {
    String id = device.toString();
    return id.startsWith(SCHEME) ? id.substring(SCHEME.length()) : id;
  }
}
