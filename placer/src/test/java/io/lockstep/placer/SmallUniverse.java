package io.lockstep.placer;

import io.lockstep.placer.oracle.PlainPacket;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Few addresses, so that a test can look at every packet, and rules over them. */
final class SmallUniverse {
  private static final int STATIONS = 4;
  private static final int ADDRESS_BITS = 4;
  private static final long FIRST_ADDRESS = 0x0A00_0000L;

  private final Random random;

  SmallUniverse(Random random) {
    this.random = random;
  }

  /** All packets; those with a condition beyond the fields, too. */
  static List<PlainPacket> packets() {
    List<PlainPacket> packets = new ArrayList<>();
    for (int station = 0; station < STATIONS; station++) {
      for (int address = 0; address < 1 << ADDRESS_BITS; address++) {
        for (int kind = 0; kind < 8; kind++) {
          if ((kind & 1) != 0 && address > 0) {
            continue; // without an address
          }
          boolean ip = (kind & 1) == 0;
          TernaryMatch packet =
              station(station)
                  .with(HeaderField.IN_PORT, 1L + (kind >> 1 & 1))
                  .with(HeaderField.ETH_TYPE, ip ? 0x800 : 0x806);
          packet = ip ? packet.with(HeaderField.IPV4_DST, FIRST_ADDRESS + address) : packet;
          long[] fields = Rig.plain(new RuleKey(0, packet), null).value();
          packets.add(new PlainPacket(fields, (kind & 4) == 0 ? null : "x"));
        }
      }
    }
    return packets;
  }

  private static TernaryMatch station(int number) {
    return TernaryMatch.any().with(HeaderField.ETH_DST, 0xA0L + number);
  }

  /** The match of an entry that an application learned, or of a rule for addresses, or of both. */
  TernaryMatch match() {
    TernaryMatch match = TernaryMatch.any();
    int kind = random.nextInt(10);
    if (kind < 4 || kind == 9) {
      match = station(random.nextInt(STATIONS));
    }
    if (kind < 2) {
      match = match.with(HeaderField.IN_PORT, 1 + random.nextInt(2));
    }
    if (kind >= 4) {
      int free = kind == 8 ? random.nextInt(ADDRESS_BITS + 1) : random.nextInt(2);
      match =
          match
              .with(HeaderField.ETH_TYPE, 0x800)
              .withPrefix(
                  HeaderField.IPV4_DST,
                  FIRST_ADDRESS + random.nextInt(1 << ADDRESS_BITS),
                  32 - free);
    }
    return random.nextInt(60) == 0 ? match.withOpaque("x") : match;
  }

  /** A rule: those for addresses are above most others. Rules of one priority agree. */
  Rule rule() {
    TernaryMatch match = match();
    boolean above = match.mask(HeaderField.IPV4_DST) != 0;
    int priority = 1 + random.nextInt(30) + (above && random.nextInt(4) != 0 ? 30 : 0);
    return Rule.of(priority, match, RuleSets.out(priority % 7));
  }
}
