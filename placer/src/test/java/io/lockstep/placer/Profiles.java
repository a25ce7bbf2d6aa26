package io.lockstep.placer;

import io.lockstep.placer.oracle.PlainEntry;
import io.lockstep.placer.oracle.PlainSwitch;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The built-in profiles with less room, so that a few rules fill them, each beside a switch of the
 * oracle whose price list was written by hand from the paper's table.
 */
enum Profiles {
  HP_2920("2920", 12, 3),
  HP_3500YL_10("3500yl-1.0", 16, 4),
  HP_3500YL_13("3500yl-1.3", 12, 3),
  HP_5130("5130", 40, 9),
  /** Its mac-ip table ends a packet's way, where extensibility decides for the others. */
  HP_5130_MAC_IP("5130-mac-ip", 40, 9),
  HP_5700("5700", 50, 12),
  IDEAL("ideal", 0, 0),
  OVS_SMALL("ovs-small", 12, 3),
  /** Its first table cannot rewrite. */
  OVS_REWRITING("ovs-small", 12, 3),
  /** Its hardware cannot rewrite. */
  HP_2920_REWRITING("2920", 12, 3);

  /** Every other treatment of a test rewrites this. */
  private static final HeaderField REWRITTEN = HeaderField.ETH_DST;

  private static final int IN_PORT = 0;
  private static final int ETH_DST = 1;
  private static final int ETH_SRC = 2;
  private static final int ETH_TYPE = 3;
  private static final int VLAN_VID = 4;
  private static final int VLAN_PCP = 5;
  private static final int IPV4_DST = 10;

  final String profileName;
  private final int units;
  private final int reserve;

  Profiles(String profileName, int units, int reserve) {
    this.profileName = profileName;
    this.units = units;
    this.reserve = reserve;
  }

  /** The layer that is made scarce: the TCAM. */
  int scarce() {
    return profileName.startsWith("5") ? 1 : 0;
  }

  int units() {
    return units;
  }

  /** The profile with little room. */
  SwitchProfile profile() {
    SwitchProfile whole = BuiltInProfiles.get(profileName);
    if (this == IDEAL) {
      return whole;
    }
    SwitchProfile scarce =
        whole.withCapacity(
            scarce(), whole.layers().get(scarce()).capacity().withUnits(units), reserve);
    if (this == OVS_REWRITING || this == HP_2920_REWRITING) {
      return withoutRewriting(scarce);
    }
    return scarce() == 0
        ? scarce
        : scarce.withCapacity(0, whole.layers().get(0).capacity().withUnits(6), 2);
  }

  private static SwitchProfile withoutRewriting(SwitchProfile profile) {
    List<LayerProfile> layers = new ArrayList<>(profile.layers());
    layers.set(0, layers.get(0).withRewrites(HeaderField.REWRITABLE & ~REWRITTEN.bit()));
    return new SwitchProfile(
        profile.name(),
        profile.openFlow(),
        profile.locationsVisible(),
        profile.promotes(),
        profile.maxFlowModsPerChange(),
        layers,
        profile.notes());
  }

  /** The fields that a treatment of a test sets. */
  static int rewrittenBy(Bytes treatment) {
    return rewrites(treatment) ? REWRITTEN.bit() : 0;
  }

  /** Whether an action rewrites; covers do not. */
  private static boolean rewrites(@Nullable Object action) {
    return action instanceof Bytes treatment && treatment.toUtf8().hashCode() % 2 != 0;
  }

  PlainSwitch plainSwitch() {
    return switch (this) {
      case OVS_REWRITING ->
          new PlainSwitch(
              List.of(
                  part(units, e -> e.tag() == null && !rewrites(e.action()), e -> 1),
                  part(Long.MAX_VALUE, e -> true, e -> 1)),
              false);
      case HP_2920_REWRITING ->
          hidden(
              e -> e.uses(IN_PORT) && !e.uses(ETH_SRC) && !e.uses(ETH_DST) && !rewrites(e.action()),
              e -> 1);
      case HP_2920 -> hidden(e -> e.uses(IN_PORT) && !e.uses(ETH_SRC) && !e.uses(ETH_DST), e -> 1);
      case HP_3500YL_10 ->
          hidden(
              e -> !e.uses(VLAN_PCP) && !e.uses(ETH_SRC) && !e.uses(ETH_DST),
              e -> onlyUses(e, IN_PORT, VLAN_VID) ? 4 : 1);
      case HP_3500YL_13 ->
          new PlainSwitch(
              List.of(
                  part(
                      units,
                      e ->
                          !uses(e, IN_PORT, VLAN_VID, VLAN_PCP, ETH_SRC, ETH_DST)
                              && e.tag() == null,
                      e -> 1),
                  part(Long.MAX_VALUE, e -> e.tag() == null, e -> 1)),
              false);
      case HP_5130 -> macIp(e -> layer2(e) ? 4 : 3).overridden(0);
      case HP_5130_MAC_IP -> macIp(e -> layer2(e) ? 4 : 3);
      case HP_5700 -> macIp(e -> layer2(e) && !e.uses(ETH_TYPE) ? 4 : 5).overridden(0);
      case IDEAL -> new PlainSwitch(List.of(part(Long.MAX_VALUE, e -> true, e -> 1)), false);
      case OVS_SMALL ->
          new PlainSwitch(
              List.of(
                  part(units, e -> e.tag() == null, e -> 1),
                  part(Long.MAX_VALUE, e -> true, e -> 1)),
              false);
    };
  }

  private PlainSwitch hidden(Predicate<PlainEntry> hardware, ToLongFunction<PlainEntry> price) {
    return new PlainSwitch(
        List.of(
            part(units, e -> hardware.test(e) && e.tag() == null, price),
            part(Long.MAX_VALUE, e -> e.tag() == null, e -> 1)),
        true);
  }

  private PlainSwitch macIp(ToLongFunction<PlainEntry> price) {
    return new PlainSwitch(
        List.of(
            part(
                6,
                e ->
                    e.tag() == null
                        && e.uses(ETH_DST)
                        && onlyUses(e, ETH_DST, VLAN_VID, ETH_TYPE, IPV4_DST)
                        && (!e.uses(IPV4_DST) || e.mask()[IPV4_DST] == 0xFFFF_FFFFL),
                e -> 1),
            part(units, e -> e.tag() == null, price)),
        false);
  }

  private static PlainSwitch.Part part(
      long room, Predicate<PlainEntry> holds, ToLongFunction<PlainEntry> price) {
    return new PlainSwitch.Part(room, e -> holds.test(e) ? price.applyAsLong(e) : 0);
  }

  private static boolean layer2(PlainEntry entry) {
    return onlyUses(entry, IN_PORT, VLAN_VID, VLAN_PCP, ETH_SRC, ETH_DST, ETH_TYPE);
  }

  private static boolean uses(PlainEntry entry, int... fields) {
    for (int field : fields) {
      if (entry.uses(field)) {
        return true;
      }
    }
    return false;
  }

  private static boolean onlyUses(PlainEntry entry, int... fields) {
    for (int i = 0; i < entry.mask().length; i++) {
      int field = i;
      if (entry.uses(i) && java.util.Arrays.stream(fields).noneMatch(f -> f == field)) {
        return false;
      }
    }
    return true;
  }
}
