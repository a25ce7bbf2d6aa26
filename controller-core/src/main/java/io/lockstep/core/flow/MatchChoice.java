package io.lockstep.core.flow;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.placer.profile.FixedPipeline;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.TernaryMatch;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

/**
 * Chooses the match of an application's entry for a switch, within the widest one that the
 * application can bear: {@link PacketView#match}, adr/0049.
 *
 * <p>An entry on MAC addresses overlaps every access rule on IP addresses, so it can be in hardware
 * only with covers of all of them. Where hardware holds such a match, the choice adds the packet's
 * EtherType, and its IPv4 addresses. Then only the few access rules for these addresses overlap.
 * Addresses are left out where a host claims others, as a router does with packets from behind it:
 * its entries would be as many as there are addresses.
 *
 * <p>A choice only adds fields, so it takes no packet that the widest match does not take. Pure and
 * thread-safe.
 */
public final class MatchChoice {
  /** For a switch that takes every rule: the match that was asked for. */
  public static final MatchChoice AS_ASKED = new MatchChoice(null);

  private static final int TYPE_AT = 12;
  private static final int HEADER_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int CUSTOMER_TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88a8;

  /** Smaller numbers are lengths (IEEE 802.3-2018 section 3.2.6). */
  private static final int LEAST_TYPE = 0x600;

  private static final int IPV4 = 0x0800;
  private static final int IPV4_BYTES = 20;
  private static final int IPV4_SOURCE_AT = 12;
  private static final int IPV4_DESTINATION_AT = 16;

  private final @Nullable SwitchProfile profile;

  private MatchChoice(@Nullable SwitchProfile profile) {
    this.profile = profile;
  }

  /** The choice for a switch of this profile. */
  public static MatchChoice of(SwitchProfile profile) {
    return SwitchProfiles.takesEverything(profile) ? AS_ASKED : new MatchChoice(profile);
  }

  /**
   * The VLAN of whose tag the switch's packet-ins have to be freed: it gives one to frames without;
   * 0 for none.
   */
  public int untaggedVlan() {
    FixedPipeline fixed = profile == null ? null : profile.fixed();
    return fixed == null ? 0 : fixed.untaggedVlan();
  }

  /**
   * The match of an entry that carries packets like this one.
   *
   * @param widest contains the packet
   */
  public TrafficSelector choose(TrafficSelector widest, PacketView packet, NetworkView network) {
    int payload = profile == null ? -1 : payload(packet.frame());
    if (profile == null || payload < 0 || widest.getCriterion(Criterion.Type.ETH_TYPE) != null) {
      return widest;
    }
    int type = uint16(packet.frame(), payload - 2);
    TrafficSelector.Builder narrow =
        DefaultTrafficSelector.builder(widest).matchEthType((short) type);
    if (type == IPV4) {
      addAddresses(narrow, packet, payload, network);
    }
    TrafficSelector narrowed = narrow.build();
    return isInHardware(profile, narrowed) ? narrowed : widest;
  }

  /**
   * Where the payload begins; -1 where switches may differ on the type: behind two tags, and in
   * frames that have a length in its place.
   */
  private static int payload(byte[] frame) {
    int payload = HEADER_BYTES;
    int type = frame.length < HEADER_BYTES ? 0 : uint16(frame, TYPE_AT);
    if (isTag(type)) {
      payload += TAG_BYTES;
      type = frame.length < payload ? 0 : uint16(frame, payload - 2);
    }
    return type < LEAST_TYPE || isTag(type) ? -1 : payload;
  }

  private static boolean isTag(int type) {
    return type == CUSTOMER_TAG || type == SERVICE_TAG;
  }

  private static void addAddresses(
      TrafficSelector.Builder to, PacketView packet, int payload, NetworkView network) {
    byte[] frame = packet.frame();
    if (frame.length < payload + IPV4_BYTES || (frame[payload] & 0xf0) != 0x40) {
      return;
    }
    int source = int32(frame, payload + IPV4_SOURCE_AT);
    int destination = int32(frame, payload + IPV4_DESTINATION_AT);
    int vlan = packet.vlanId();
    if (mayHave(network, packet.source(), vlan, source)
        && mayHave(network, packet.destination(), vlan, destination)) {
      to.matchIPSrc(IpPrefix.valueOf(source, IpPrefix.MAX_INET_MASK_LENGTH))
          .matchIPDst(IpPrefix.valueOf(destination, IpPrefix.MAX_INET_MASK_LENGTH));
    }
  }

  /**
   * Whether a host claims an address, or none that is known. The picture of the hosts comes some
   * 100 ms after ARP, and the first packet of two hosts before that.
   */
  private static boolean mayHave(NetworkView network, MacAddress address, int vlan, int ip) {
    KnownHost host = network.host(address, vlan);
    return host == null
        || host.ips().isEmpty()
        || host.ips().stream().anyMatch(claimed -> claimed.toInt() == ip);
  }

  private static boolean isInHardware(SwitchProfile profile, TrafficSelector selector) {
    TernaryMatch match;
    try {
      match = HeaderSpace.match(selector);
    } catch (Inexpressible e) {
      return false; // the application's own match has such a field
    }
    for (int layer = 0; layer < profile.layers().size(); layer++) {
      if (profile.layers().get(layer).kind() == LayerKind.HARDWARE
          && profile.holds(layer, match, 0)) {
        return true;
      }
    }
    return false;
  }

  private static int uint16(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | (frame[at + 1] & 0xff);
  }

  private static int int32(byte[] frame, int at) {
    return uint16(frame, at) << 16 | uint16(frame, at + 2);
  }
}
