package io.lockstep.core.mastership;

import java.util.HexFormat;
import org.onosproject.net.DeviceId;

/** Device ids of switches: {@code of:} and the datapath id in 16 hexadecimal digits. Pure. */
public final class SwitchScope {
  private static final String SCHEME = "of:";

  private SwitchScope() {}

  /** Whether the text names a switch, not a domain. */
  static boolean isSwitch(String scope) {
    return scope.startsWith(SCHEME);
  }

  /**
   * The datapath id in a switch's name.
   *
   * @throws IllegalArgumentException where it is no name of a switch
   */
  static long dpid(String scope) {
    if (!isSwitch(scope) || scope.length() != SCHEME.length() + 16) {
      throw new IllegalArgumentException("no OpenFlow switch: " + scope);
    }
    return HexFormat.fromHexDigitsToLong(scope, SCHEME.length(), scope.length());
  }

  /** The name of a switch. */
  static String name(long dpid) {
    return SCHEME + HexFormat.of().toHexDigits(dpid);
  }

  /** The device id of a datapath id. */
  public static DeviceId deviceId(long dpid) {
    return DeviceId.deviceId(name(dpid));
  }

  /** Whether the device is an OpenFlow switch with a well-formed datapath id. */
  public static boolean isSwitch(DeviceId device) {
    String text = device.toString();
    if (!isSwitch(text) || text.length() != SCHEME.length() + 16) {
      return false;
    }
    for (int i = SCHEME.length(); i < text.length(); i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** The datapath id of a device. */
  public static long dpid(DeviceId device) {
    return dpid(device.toString());
  }
}
