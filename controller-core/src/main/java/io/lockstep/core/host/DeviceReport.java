package io.lockstep.core.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;

/**
 * A device as an operator sees it: what the store has of a host. Times are consensus-ordered
 * milliseconds since 1970.
 *
 * @param id its MAC address and VLAN, as onos-api writes the id of a host
 * @param vlan VLAN id, or -1 for none
 * @param ips those that it claims, and those that its packets show where it claims none
 * @param atSwitch datapath id in 16 hexadecimal digits
 * @param sinceMillis when it came to its place
 * @param lastSeenMillis exact to some five minutes
 * @param former where it was before, the last place first
 */
public record DeviceReport(
    String id,
    String mac,
    int vlan,
    List<String> ips,
    String atSwitch,
    long atPort,
    long sinceMillis,
    long firstSeenMillis,
    long lastSeenMillis,
    List<FormerPlace> former) {

  /** A place where a device was. */
  public record FormerPlace(String atSwitch, long atPort, long sinceMillis, long untilMillis) {}

  public DeviceReport {
    ips = List.copyOf(ips);
    former = List.copyOf(former);
  }

  static DeviceReport of(HostKey key, HostEntity entity) {
    HostRecord host = entity.host();
    return new DeviceReport(
        key.hostId().toString(),
        key.address().toString(),
        key.vlan(),
        addresses(host),
        digits(entity.place().dpid()),
        entity.place().port(),
        host.sinceMillis(),
        entity.firstSeenMillis(),
        entity.lastSeenMillis(),
        entity.former().stream()
            .map(
                stay ->
                    new FormerPlace(
                        digits(stay.place().dpid()),
                        stay.place().port(),
                        stay.sinceMillis(),
                        stay.untilMillis()))
            .toList());
  }

  private static String digits(long dpid) {
    return String.format(Locale.ROOT, "%016x", dpid);
  }

  private static List<String> addresses(HostRecord host) {
    List<String> texts = new ArrayList<>();
    host.ips().forEach(ip -> texts.add(Ip4Address.valueOf(ip).toString()));
    host.ip6s().forEach(ip -> texts.add(Ip6Address.valueOf(ip.bytes()).toString()));
    if (host.shownIp() != 0) {
      texts.add(Ip4Address.valueOf(host.shownIp()).toString());
    }
    Ip6 shown = host.shownIp6();
    if (shown != null) {
      texts.add(Ip6Address.valueOf(shown.bytes()).toString());
    }
    return texts;
  }
}
