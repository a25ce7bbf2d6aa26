package io.lockstep.core.link;

import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * A port of a switch in its shortest form, ordered by datapath id and then port, both unsigned.
 *
 * @param dpid the datapath id
 * @param port the OpenFlow port number, 1 to 0xffff_ff00
 */
public record SwitchPort(long dpid, long port) implements Comparable<SwitchPort> {

  private static final String SCHEME = "of:";
  private static final int HEX_DIGITS = 16;

  /** The port of a device whose id is {@code of:} and 16 hexadecimal digits. */
  public static SwitchPort of(DeviceId device, PortNumber port) {
    return new SwitchPort(dpid(device), port.toLong());
  }

  /** The port that onos-api calls a connect point. */
  public static SwitchPort of(ConnectPoint point) {
    return of(point.deviceId(), point.port());
  }

  /**
   * The datapath id in a device id.
   *
   * @throws IllegalArgumentException where the device is not an OpenFlow switch
   */
  public static long dpid(DeviceId device) {
    String text = device.toString();
    if (!text.startsWith(SCHEME) || text.length() != SCHEME.length() + HEX_DIGITS) {
      throw new IllegalArgumentException(text + " is not the id of an OpenFlow switch");
    }
    return Long.parseUnsignedLong(text, SCHEME.length(), text.length(), 16);
  }

  /** The device id of a datapath id. */
  public static DeviceId device(long dpid) {
    String digits = Long.toHexString(dpid);
    return DeviceId.deviceId(SCHEME + "0".repeat(HEX_DIGITS - digits.length()) + digits);
  }

  /** The switch. */
  public DeviceId deviceId() {
    return device(dpid);
  }

  /** The port. */
  public PortNumber portNumber() {
    return PortNumber.portNumber(port);
  }

  /** The same as onos-api says it. */
  public ConnectPoint connectPoint() {
    return new ConnectPoint(deviceId(), portNumber());
  }

  @Override
  public int compareTo(SwitchPort other) {
    int bySwitch = Long.compareUnsigned(dpid, other.dpid);
    return bySwitch != 0 ? bySwitch : Long.compareUnsigned(port, other.port);
  }

  @Override
  public String toString() {
    return deviceId() + "/" + port;
  }
}
