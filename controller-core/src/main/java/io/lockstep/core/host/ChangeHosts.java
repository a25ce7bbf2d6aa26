package io.lockstep.core.host;

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
 * <p>Argument: format (1 byte), the number of changes, and for each its length, the scope and epoch
 * of its fence, and the change ({@link HostChangeCodec}). All changes together concern {@link
 * #MAX_HOSTS} hosts at most, so that the writes stay far below the store's bound of 10 000 for one
 * call. Result: one byte for each change.
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
          Codec.of(ChangeHosts::encode, ChangeHosts::decode),
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

  private static Bytes encode(List<Bytes> parts) {
    int bytes = parts.stream().mapToInt(Bytes::length).sum();
    if (parts.size() > MAX_HOSTS || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          parts.size()
              + " changes of hosts of "
              + bytes
              + " bytes in one operation, allowed are "
              + MAX_HOSTS
              + " of "
              + MAX_BYTES);
    }
    ByteWriter out = new ByteWriter(bytes + 4 * parts.size() + 8).int8(FORMAT);
    out.varint(parts.size());
    parts.forEach(out::bytes);
    return out.toBytes();
  }

  private static List<Bytes> decode(Bytes argument) {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "changes of hosts");
    int count = in.count(MAX_HOSTS, 1);
    List<Bytes> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(in.bytes(MAX_BYTES));
    }
    in.end();
    return parts;
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
