package io.lockstep.bench.core;

import io.lockstep.apps.Applications;
import io.lockstep.bench.store.FlowCommands;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One replica's work for one request of {@link #BATCH} operations: decode, apply, record the
 * replies, encode. The client's part of encoding the request and decoding the response is included,
 * since the operation ids must be new each time. Time is per operation.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
@SuppressWarnings("NullAway.Init") // set up by the harness
public class StateMachineBenchmark {
  /** Operations in one request, as many as the client sends under load. */
  static final int BATCH = 64;

  /** The commands, as in {@code bench store}. */
  @Param({"put", "get", "ls-ucast-micro"})
  public String operation;

  private final StoreStateMachine machine = new StoreStateMachine(Applications.microComponents());
  private final ByteWriter out = new ByteWriter(1 << 14);
  private List<Command> commands;
  private long sessionId;
  private long operationId;
  private long instance;
  private long timeMillis;
  private int next;

  /** Opens a session and fills the tables. */
  @Setup
  public void fill() {
    out.clear();
    RequestEncoder.header(out, 0, 0, 1);
    RequestEncoder.operation(out, 0, new Command.OpenSession(1, "bench", 600_000));
    if (!(apply().replies().get(0) instanceof Reply.SessionOpened opened)) {
      throw new IllegalStateException("no session");
    }
    sessionId = opened.sessionId();
    commands = FlowCommands.declarations();
    applyBatch();
    for (String name : List.of("put", "ls-ucast-micro")) {
      next = 0;
      commands = FlowCommands.of(name);
      for (int i = 0; i < 2 * commands.size(); i += BATCH) {
        applyBatch();
      }
    }
    next = 0;
    commands = FlowCommands.of(operation);
  }

  /** One request. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public Response applyBatch() {
    out.clear();
    RequestEncoder.header(out, sessionId, operationId, BATCH);
    for (int i = 0; i < BATCH; i++) {
      RequestEncoder.operation(out, operationId++, commands.get(next));
      next = next + 1 == commands.size() ? 0 : next + 1;
    }
    return apply();
  }

  private Response apply() {
    List<OrderedReply> replies = machine.apply(instance++, timeMillis++, List.of(out.toArray()));
    return ResponseDecoder.decode(replies.get(0).bytes());
  }
}
