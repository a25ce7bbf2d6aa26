package io.lockstep.placer;

import io.lockstep.placer.oracle.PlainEntry;
import io.lockstep.placer.oracle.PlainPacket;
import io.lockstep.placer.oracle.PlainPackets;
import io.lockstep.placer.oracle.PlainSwitch;
import io.lockstep.placer.oracle.PlainTable;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A placer, a switch of the oracle and the logical table beside it. Every step is carried out and
 * then looked at with many packets. The switch can refuse steps.
 */
final class Rig {
  /** Treatments rewrite as {@link Profiles} says. */
  static final PlacerOptions OPTIONS = PlacerOptions.standard().withRewrites(Profiles::rewrittenBy);

  private static final HeaderField[] FIELDS = HeaderField.values();
  private static final int PLAIN_FIELDS = FIELDS.length - 1;

  final SwitchProfile profile;
  final PlainSwitch hardware;
  final PlainTable logical = new PlainTable();
  final Random random;
  private final PlainPackets packets;
  private final int packetsPerStep;
  Placer placer;

  /** What is looked at behind each step; packets at random where this is empty. */
  List<PlainPacket> every = List.of();

  double refusals;
  long packetsChecked;

  /** How many steps there were of each kind. */
  final Map<String, Integer> kinds = new TreeMap<>();

  long nowMillis;

  Rig(SwitchProfile profile, PlainSwitch hardware, Random random, int packetsPerStep) {
    this.profile = profile;
    this.hardware = hardware;
    this.random = random;
    this.packetsPerStep = packetsPerStep;
    long[] full = new long[PLAIN_FIELDS];
    for (int i = 0; i < full.length; i++) {
      full[i] = FIELDS[i].full();
    }
    packets = new PlainPackets(random, full);
    placer = new Placer("s1", profile, OPTIONS);
  }

  static PlainEntry plain(RuleKey key, @Nullable Object action) {
    long[] value = new long[PLAIN_FIELDS];
    long[] mask = new long[PLAIN_FIELDS];
    TernaryMatch match = key.match();
    for (int i = 0; i < PLAIN_FIELDS; i++) {
      value[i] = match.value(FIELDS[i]);
      mask[i] = match.mask(FIELDS[i]);
    }
    return new PlainEntry(key.priority(), value, mask, match.opaque(), action);
  }

  /** Makes a change, whatever the switch refuses; says how it ended. */
  Outcome run(Change change) {
    Outcome outcome = placer.plan(change);
    for (int tries = 0; outcome instanceof Plan plan; tries++) {
      int refusedAt = carryOut(plan, tries < 20, plan.steps().size());
      if (refusedAt < 0) {
        return plan;
      }
      outcome = placer.refused(plan, refusedAt, random.nextInt(3) == 0);
    }
    return outcome;
  }

  /**
   * Sends the first steps of a plan.
   *
   * @return the step that the switch refused, or -1
   */
  int carryOut(Plan plan, boolean mayRefuse, int steps) {
    for (int i = 0; i < steps; i++) {
      Step step = plan.steps().get(i);
      if (step.flowMod() && mayRefuse && random.nextDouble() < refusals) {
        return i;
      }
      carryOut(step);
      placer.confirm(step, nowMillis++);
      check("behind step " + i + " of " + plan);
    }
    return -1;
  }

  void carryOut(Step step) {
    PlainEntry entry = plain(step.entry(), step.treatment());
    switch (step.kind()) {
      case ADD -> hardware.add(step.layer(), entry);
      case MODIFY -> hardware.modify(step.layer(), entry);
      case DELETE -> hardware.delete(step.layer(), entry);
      case NOTE -> {}
    }
    kinds.merge(
        step.kind() + (step.cover() ? " cover" : "") + (step.visible() ? " visible" : ""),
        1,
        Integer::sum);
    if (step.kind() == Step.Kind.ADD && step.rule().equals(Aggregates.OWNER)) {
      kinds.merge("aggregated", 1, Integer::sum);
    }
    if (step.logical() != null) {
      book(step.logical());
    }
  }

  private void book(LogicalChange logicalChange) {
    if (logicalChange instanceof LogicalChange.Put put) {
      logical.put(plain(put.rule().key(), put.rule().treatment()));
    } else if (logicalChange instanceof LogicalChange.Drop drop) {
      logical.remove(plain(drop.key(), null));
    } else if (logicalChange instanceof LogicalChange.Fill fill) {
      fill.rules().forEach(one -> logical.put(plain(one.rule().key(), one.rule().treatment())));
    }
  }

  /** Looks at packets; fails on the first that the switch treats otherwise than the table. */
  void check(String when) {
    check(when, packetsPerStep);
  }

  void check(String when, int count) {
    List<PlainPacket> looked = every.isEmpty() ? packets.some(logical.entries(), count) : every;
    for (PlainPacket packet : looked) {
      Set<Object> wanted = logical.actions(packet);
      Set<Object> found = hardware.actions(packet, logical);
      if (wanted.size() != 1 || !wanted.equals(found)) {
        throw new AssertionError(
            "packet "
                + Arrays.toString(packet.fields())
                + " gets "
                + found
                + ", the table says "
                + wanted
                + " "
                + when);
      }
      packetsChecked++;
    }
  }

  /** The entries of the switch, as a new master reads them. */
  List<PlacementImage.InLayer> readBack() {
    List<PlacementImage.InLayer> entries = new ArrayList<>();
    for (int part = 0; part < profile.controller(); part++) {
      for (PlainEntry entry : hardware.table(part).entries()) {
        TernaryMatch match = TernaryMatch.any();
        for (int i = 0; i < PLAIN_FIELDS; i++) {
          match = match.with(FIELDS[i], entry.value()[i], entry.mask()[i]);
        }
        match = entry.tag() == null ? match : match.withOpaque(entry.tag());
        int layer =
            profile.layerOf(
                profile.layers().get(part).table(),
                match,
                entry.action() instanceof Bytes treatment ? Profiles.rewrittenBy(treatment) : 0);
        entries.add(
            new PlacementImage.InLayer(
                layer, new RuleKey(entry.priority(), match), (Bytes) entry.action()));
      }
    }
    return entries;
  }
}
