package io.lockstep.placer.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Packets at the corners of rules and of what they have in common, and anywhere. */
public final class PlainPackets {
  private final Random random;
  private final long[] full;

  /**
   * Makes packets.
   *
   * @param full all bits of each field
   */
  public PlainPackets(Random random, long[] full) {
    this.random = random;
    this.full = full.clone();
  }

  /** A number of packets, most of them within rules, or within several. */
  public List<PlainPacket> some(List<PlainEntry> rules, int count) {
    List<PlainPacket> packets = new ArrayList<>();
    for (PlainEntry rule : rules) {
      packets.add(within(List.of(rule), 0));
      packets.add(within(List.of(rule), -1L));
    }
    while (packets.size() < count) {
      List<PlainEntry> some = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0 && !rules.isEmpty(); i--) {
        some.add(rules.get(random.nextInt(rules.size())));
      }
      packets.add(within(some, random.nextInt(8) == 0 ? -random.nextInt(2) : random.nextLong()));
    }
    return packets;
  }

  /** A packet of the last rule, and of those before as far as they go together. */
  private PlainPacket within(List<PlainEntry> rules, long filling) {
    long[] fields = new long[full.length];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = (filling == 0 || filling == -1 ? filling : random.nextLong()) & full[i];
    }
    String tag = random.nextBoolean() ? "x" : null;
    for (PlainEntry rule : rules) {
      for (int i = 0; i < fields.length; i++) {
        fields[i] = (fields[i] & ~rule.mask()[i]) | rule.value()[i];
      }
      tag = rule.tag() == null ? tag : rule.tag();
    }
    if (!rules.isEmpty() && random.nextInt(4) == 0) {
      flipOneBit(fields, rules.get(0));
    }
    return new PlainPacket(fields, tag);
  }

  /** Steps over the border of a rule. */
  private void flipOneBit(long[] fields, PlainEntry rule) {
    int field = random.nextInt(fields.length);
    for (int i = 0; i < fields.length; i++, field = (field + 1) % fields.length) {
      if (rule.mask()[field] != 0) {
        fields[field] ^= Long.lowestOneBit(rule.mask()[field]);
        return;
      }
    }
  }
}
