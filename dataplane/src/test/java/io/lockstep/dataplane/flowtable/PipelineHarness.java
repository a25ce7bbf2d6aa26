package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.HardwareProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A pipeline with ports 1 to 4 and what came out of it. */
final class PipelineHarness implements Pipeline.Exit {
  final List<FlowRemoved> removed = new ArrayList<>();
  final List<String> out = new ArrayList<>();
  final List<byte[]> frames = new ArrayList<>();
  final List<Pipeline.Traversal> waiting = new ArrayList<>();
  final Pipeline pipeline;
  long nowNanos;

  PipelineHarness() {
    this(3, 1000);
  }

  PipelineHarness(HardwareProfile profile) {
    pipeline = new Pipeline(profile, port -> port >= 1 && port <= 4, removed::add);
  }

  PipelineHarness(int tables, int capacity) {
    this(HardwareProfile.ideal(tables, capacity));
  }

  void accept(FlowMod mod) {
    Optional<ModelError> error = pipeline.apply(mod, nowNanos);
    if (error.isPresent()) {
      throw new AssertionError("refused: " + error.get());
    }
  }

  Optional<ModelError> offer(FlowMod mod) {
    return pipeline.apply(mod, nowNanos);
  }

  /** What happened to a frame, for instance {@code "2"}, {@code "miss 0"}, {@code ""}. */
  String send(byte[] frame, int inPort) {
    out.clear();
    pipeline.expire(nowNanos);
    pipeline.process(new Packet(frame, inPort), nowNanos, this);
    return String.join(" ", out);
  }

  void pass(Duration time) {
    nowNanos += time.toNanos();
    pipeline.expire(nowNanos);
  }

  FlowEntry only() {
    List<FlowEntry> all = entries();
    if (all.size() != 1) {
      throw new AssertionError("one entry expected: " + all);
    }
    return all.get(0);
  }

  List<FlowEntry> entries() {
    List<FlowEntry> all = new ArrayList<>();
    pipeline.tables().forEach(table -> all.addAll(table.entries()));
    return all;
  }

  @Override
  public void output(Packet packet, Output output, Pipeline.Origin origin) {
    out.add(
        output.port() == PortNumbers.CONTROLLER
            ? (origin.tableMiss() ? "controller-miss" : "controller")
            : Integer.toString(output.port()));
    frames.add(packet.bytes());
  }

  @Override
  public void toProcessor(Pipeline.Traversal traversal) {
    out.add("processor");
    waiting.add(traversal);
  }

  /** The processor takes all the packets that are with it. */
  String process() {
    out.clear();
    List<Pipeline.Traversal> traversals = List.copyOf(waiting);
    waiting.clear();
    traversals.forEach(traversal -> pipeline.resume(traversal, nowNanos, this));
    return String.join(" ", out);
  }

  @Override
  public void stuck(Packet packet) {
    out.add("stuck");
  }

  @Override
  public void missed(Packet packet, int tableId) {
    out.add("miss " + tableId);
  }

  @Override
  public void invalidTtl(Packet packet, Pipeline.Origin origin) {
    out.add("ttl");
  }
}
