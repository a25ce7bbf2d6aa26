package io.lockstep.history.replica;

import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A store that breaks what it promises of batches, scans and guards, in the same way on every
 * replica. It exists to show that the checker notices. It keeps notes that a snapshot does not
 * hold, so replicas of it must not be restarted.
 *
 * <p>Not thread-safe, as the state machine.
 */
final class BrokenMixedService implements OrderedService {
  /** Of the operations that can be broken, one in so many is. */
  private static final int EVERY = 5;

  private final StoreStateMachine store;
  private final Breakage breakage;
  private final Map<Command.Scan, List<Entry>> earlier = new HashMap<>();
  private long seen;

  BrokenMixedService(StoreStateMachine store, Breakage breakage) {
    this.store = store;
    this.breakage = breakage;
  }

  @Override
  public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> all) {
    List<OrderedReply> replies = new ArrayList<>();
    for (byte[] bytes : all) {
      Request asked = RequestDecoder.decode(bytes);
      Request done = broken(asked);
      OrderedReply reply =
          store.apply(instance, timeMillis, List.of(RequestEncoder.encode(done))).get(0);
      Response response = answer(asked, done, ResponseDecoder.decode(reply.bytes()));
      replies.add(new OrderedReply(ResponseEncoder.encode(response), reply.restsOn()));
    }
    return replies;
  }

  private boolean isNext() {
    return seen++ % EVERY == EVERY - 1;
  }

  private Request broken(Request request) {
    List<Request.Operation> operations = new ArrayList<>();
    for (Request.Operation operation : request.operations()) {
      Command command = operation.command();
      if (command instanceof Command.Batch batch) {
        command = broken(batch);
      }
      operations.add(new Request.Operation(operation.operationId(), command));
    }
    return new Request(request.sessionId(), request.acknowledgedBelow(), operations);
  }

  private Command broken(Command.Batch batch) {
    List<Command> commands = batch.commands();
    long writes = commands.stream().filter(command -> !command.isRead()).count();
    if (breakage == Breakage.HALF_BATCHES && writes > 1 && isNext()) {
      return new Command.Batch(batch.guards(), commands.subList(0, commands.size() - 1));
    }
    boolean guarded = !batch.guards().isEmpty();
    if (breakage == Breakage.FENCED_WRITES && guarded && isNext()) {
      return new Command.Batch(List.of(), commands);
    }
    return batch;
  }

  private Response answer(Request asked, Request done, Response response) {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < response.replies().size(); i++) {
      Command command = asked.operations().get(i).command();
      Reply reply = response.replies().get(i);
      if (command instanceof Command.Scan scan && reply instanceof Reply.Entries entries) {
        reply = broken(scan, entries);
      } else if (reply instanceof Reply.Batched batched
          && !command.equals(done.operations().get(i).command())) {
        reply = completed((Command.Batch) command, batched);
      }
      replies.add(reply);
    }
    return new Response(response.status(), response.message(), replies);
  }

  /** As if what was left out had been done. */
  private static Reply completed(Command.Batch asked, Reply.Batched done) {
    List<Reply> replies = new ArrayList<>(done.replies());
    while (replies.size() < asked.commands().size()) {
      replies.add(new Reply.Applied(done.version()));
    }
    return new Reply.Batched(replies, done.version());
  }

  /** The first half of the keys as they are, the others as they were. */
  private Reply broken(Command.Scan scan, Reply.Entries now) {
    List<Entry> before = earlier.put(scan, now.entries());
    if (breakage != Breakage.MIXED_SCANS || before == null || before.isEmpty() || !isNext()) {
      return now;
    }
    Entry middle = before.get(before.size() / 2);
    List<Entry> mixed = new ArrayList<>();
    now.entries().stream()
        .filter(entry -> entry.key().compareTo(middle.key()) < 0)
        .forEach(mixed::add);
    before.stream().filter(entry -> entry.key().compareTo(middle.key()) >= 0).forEach(mixed::add);
    return new Reply.Entries(mixed, now.more());
  }

  @Override
  public int requestVersion() {
    return store.requestVersion();
  }

  @Override
  public long index() {
    return store.index();
  }

  @Override
  public OptionalLong lastTimeMillis() {
    return store.lastTimeMillis();
  }

  @Override
  public StateSnapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public void reset() {
    store.reset();
  }

  @Override
  public void restore(InputStream in) throws IOException {
    store.restore(in);
  }
}
