package io.lockstep.core.host;

import io.lockstep.core.mastership.CallParts;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.List;

/**
 * Micro component {@code hosts.change}: what nodes found out about hosts, for several switches as
 * one operation. Each change stands alone: one that is fenced, late or without room changes nothing
 * ({@link HostOutcome}), and the others take effect, in their order. Only what the store itself
 * does not take, such as an entry for which there is no room, refuses the whole operation; then the
 * caller sends the changes one by one.
 *
 * <p>Argument: {@link CallParts}, each the scope and epoch of a fence, and the change ({@link
 * HostChangeCodec}). All changes together concern {@link #MAX_HOSTS} hosts at most, so that the
 * writes stay far below the store's bound of 10 000 for one call. Result: one byte for each change.
 */
public final class ChangeHosts implements MicroComponent {

  /** Hosts in one operation at most, so also changes. */
  static final int MAX_HOSTS = HostChange.MAX_HOSTS;

  /** Bytes of all changes in one operation at most. */
  static final int MAX_BYTES = 1 << 16;

  private static final int FORMAT = 1;

  /** Each part is what {@link #part} made. */
  static final Component<List<Bytes>, List<HostOutcome>> COMPONENT =
      new Component<>(
          "hosts.change",
          new CallParts("changes of hosts", FORMAT, MAX_HOSTS, MAX_BYTES).codec(),
          Codec.of(ChangeHosts::encodeOutcomes, ChangeHosts::decodeOutcomes));

  /** A change with the fence that it is made under. */
  private record Part(Fence fence, HostChange change) {}

  /** One change as bytes. */
  static Bytes part(Fence fence, HostChange change) {
    ByteWriter out = new ByteWriter(96).utf8(fence.scope()).int64(fence.epoch());
    HostChangeCodec.write(change, out);
    return out.toBytes();
  }

  private static Part read(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    Fence fence = new Fence(in.utf8(Fence.MAX_SCOPE_BYTES), in.int64());
    HostChange change = HostChangeCodec.read(in);
    in.end();
    return new Part(fence, change);
  }

  private static Bytes encodeOutcomes(List<HostOutcome> outcomes) {
    ByteWriter out = new ByteWriter(outcomes.size());
    outcomes.forEach(outcome -> out.int8(outcome.code()));
    return out.toBytes();
  }

  private static List<HostOutcome> decodeOutcomes(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    List<HostOutcome> outcomes = new ArrayList<>(bytes.length());
    while (in.remaining() > 0) {
      int at = in.offset();
      int number = in.uint8();
      outcomes.add(
          HostOutcome.of(number)
              .orElseThrow(
                  () -> new CodecException(at, "an outcome of a change, found " + number)));
    }
    return outcomes;
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    List<Part> parts = new ArrayList<>();
    int hosts = 0;
    try {
      for (Bytes part : COMPONENT.argument().decode(argument)) {
        parts.add(read(part));
        hosts += parts.get(parts.size() - 1).change().hosts();
      }
    } catch (CodecException | IllegalArgumentException malformed) {
      throw new Refusal("no changes of hosts of format " + FORMAT);
    }
    if (hosts > MAX_HOSTS) {
      throw new Refusal(hosts + " hosts in one operation, allowed are " + MAX_HOSTS);
    }
    HostEntities entities = new HostEntities(transaction);
    List<HostOutcome> outcomes = new ArrayList<>(parts.size());
    for (Part part : parts) {
      outcomes.add(outcome(transaction, entities, part));
    }
    return COMPONENT.result().encode(outcomes);
  }

  private static HostOutcome outcome(Transaction transaction, HostEntities entities, Part part) {
    try {
      FencedWrite.check(transaction, part.fence());
    } catch (Refusal fenced) {
      return HostOutcome.FENCED;
    }
    return entities.apply(part.change());
  }
}
