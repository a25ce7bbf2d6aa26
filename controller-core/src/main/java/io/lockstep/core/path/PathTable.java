package io.lockstep.core.path;

import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.core.path.PathRow.Phase;
import io.lockstep.core.path.PathRow.Settled;
import io.lockstep.core.path.PathRow.Wish;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The table {@code net.paths}: by name, the paths of flows. Any node writes it, with guards. */
final class PathTable implements RecordCodec<String, PathRow> {
  static final String NAME = "net.paths";

  /** Letters of a path's name at most. */
  static final int MAX_NAME = 64;

  private static final int FORMAT = 1;
  private static final int MAX_REASON_BYTES = 4 * PathRow.MAX_REASON;
  private static final Comparator<PathSlot> SLOTS =
      Comparator.comparingLong(PathSlot::dpid).thenComparingInt(PathSlot::tag);

  @Override
  public Bytes encodeKey(String name) {
    return Bytes.utf8(name);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(PathRow row) {
    ByteWriter out = new ByteWriter(256).int8(FORMAT);
    SelectorCodec.write(row.flow().selector(), out);
    out.int32(row.flow().priority()).int8(row.phase().code()).int32(row.step());
    write(row.current(), out);
    write(row.target(), out);
    out.int64(row.ticket());
    Wish wish = row.wish();
    out.flag(wish != null);
    if (wish != null) {
      write(wish.hops(), out.int64(wish.ticket()));
    }
    out.varint(row.leftovers().size());
    row.leftovers().stream()
        .sorted(SLOTS)
        .forEach(slot -> out.int64(slot.dpid()).int16(slot.tag()));
    return out.flag(row.tagless())
        .int64(row.asked())
        .int64(row.settled().ticket())
        .utf8(row.settled().why())
        .utf8(row.why())
        .toBytes();
  }

  private static void write(Route route, ByteWriter out) {
    write(route.hops(), out.int16(route.tag()));
  }

  private static void write(List<Hop> hops, ByteWriter out) {
    out.varint(hops.size());
    hops.forEach(hop -> out.int64(hop.dpid()).int64(hop.outPort()));
  }

  @Override
  public PathRow decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "path");
    PathFlow flow = new PathFlow(SelectorCodec.read(in), in.int32());
    Phase phase = Phase.of(in.uint8());
    int step = in.int32();
    Route current = route(in);
    Route target = route(in);
    long ticket = in.int64();
    Wish wish = in.flag() ? new Wish(in.int64(), hops(in)) : null;
    Set<PathSlot> leftovers = new LinkedHashSet<>();
    int count = in.count(PathRow.MAX_LEFTOVERS + Route.MAX_HOPS, Long.BYTES + 2);
    for (int i = 0; i < count; i++) {
      leftovers.add(new PathSlot(in.int64(), in.uint16()));
    }
    PathRow row =
        new PathRow(
            flow,
            phase,
            step,
            current,
            target,
            ticket,
            wish,
            leftovers,
            in.flag(),
            in.int64(),
            new Settled(in.int64(), in.utf8(MAX_REASON_BYTES)),
            in.utf8(MAX_REASON_BYTES));
    in.end();
    checkStep(row);
    return row;
  }

  /** A row without its step would end every node that looks at it: it is no row. */
  private static void checkStep(PathRow row) {
    boolean hasStep = row.phase() != Phase.STEADY && row.phase() != Phase.PREPARE;
    int steps = Transition.of(row.current(), row.target()).steps().size();
    if (row.step() < 0 || (hasStep && row.step() >= steps)) {
      throw new IllegalArgumentException("step " + row.step() + " of " + steps + " of a path");
    }
  }

  private static Route route(ByteReader in) {
    return new Route(in.uint16(), hops(in));
  }

  private static List<Hop> hops(ByteReader in) {
    int count = in.count(Route.MAX_HOPS, 2 * Long.BYTES);
    List<Hop> hops = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      hops.add(new Hop(in.int64(), in.int64()));
    }
    return hops;
  }
}
