package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.engine.SnapshotBytes;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What was ordered under rules 1 by the last release that knew no others, and the snapshots it
 * wrote halfway and at the end. Kept in the test resources and never written again: what it holds
 * is on the disks of clusters.
 */
final class RulesSample {
  private static final int BATCHES = 400;
  private static final Path KEPT =
      Path.of("src", "test", "resources", "io", "lockstep", "store", "core");

  /** Requests that were decided together. */
  record Batch(long timeMillis, List<byte[]> requests) {}

  private RulesSample() {}

  static StoreStateMachine machine() {
    return new StoreStateMachine(List.of(new Move()));
  }

  static List<Batch> log() throws IOException {
    List<Batch> batches = new ArrayList<>();
    DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(Files.readAllBytes(KEPT.resolve("rules-1.log"))));
    while (in.available() > 0) {
      long timeMillis = in.readLong();
      List<byte[]> requests = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        requests.add(in.readNBytes(in.readInt()));
      }
      batches.add(new Batch(timeMillis, requests));
    }
    return batches;
  }

  /** The state after the first half of the batches. */
  static byte[] halfway() throws IOException {
    return Files.readAllBytes(KEPT.resolve("rules-1.halfway"));
  }

  /** The state after all batches. */
  static byte[] end() throws IOException {
    return Files.readAllBytes(KEPT.resolve("rules-1.end"));
  }

  /** How the sample was made, with the release named above; fails where it is kept already. */
  static void write() throws IOException {
    Random random = new Random(1);
    RandomCommands commands = new RandomCommands(random, new NaiveStore());
    StoreStateMachine machine = machine();
    List<Long> sessions = new ArrayList<>();
    long nowMillis = 1_000_000;
    int operation = 0;
    try (OutputStream file =
            Files.newOutputStream(KEPT.resolve("rules-1.log"), StandardOpenOption.CREATE_NEW);
        DataOutputStream out = new DataOutputStream(file)) {
      for (int i = 0; i < BATCHES; i++) {
        nowMillis += random.nextInt(300) - 20;
        List<byte[]> requests = new ArrayList<>();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
          boolean opens = sessions.isEmpty() || random.nextInt(30) == 0;
          long session = opens ? 0 : sessions.get(random.nextInt(sessions.size()));
          List<Request.Operation> operations = new ArrayList<>();
          for (int more = opens ? 1 : random.nextInt(5); more > 0; more--) {
            Command command =
                opens
                    ? new Command.OpenSession(operation, "owner", 600 + random.nextInt(20_000))
                    : random.nextInt(150) == 0
                        ? new Command.CloseSession(session)
                        : i < 20 ? RandomCommands.DECLARED.get(random.nextInt(6)) : commands.next();
            // Now and then a copy of one that was before.
            long id = Math.max(0, operation++ - (random.nextInt(5) == 0 ? 10 : 0));
            operations.add(new Request.Operation(id, command));
          }
          long acknowledged = Math.max(0, operation - 1 - random.nextInt(200));
          requests.add(RequestEncoder.encode(new Request(session, acknowledged, operations)));
        }
        out.writeLong(nowMillis);
        out.writeInt(requests.size());
        for (byte[] request : requests) {
          out.writeInt(request.length);
          out.write(request);
        }
        for (var reply : machine.apply(i, nowMillis, requests)) {
          for (Reply one : ResponseDecoder.decode(reply.bytes()).replies()) {
            if (one instanceof Reply.SessionOpened opened) {
              sessions.add(opened.sessionId());
            }
          }
        }
        if (i == BATCHES / 2 - 1) {
          keep("rules-1.halfway", machine);
        }
      }
    }
    keep("rules-1.end", machine);
  }

  private static void keep(String name, StoreStateMachine machine) throws IOException {
    Files.write(KEPT.resolve(name), SnapshotBytes.of(machine), StandardOpenOption.CREATE_NEW);
  }

  private static final class Move implements MicroComponent {
    @Override
    public String name() {
      return "move";
    }

    @Override
    public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
      Entry entry = transaction.get("a", argument);
      transaction.put("b", argument, entry == null ? Bytes.empty() : entry.value());
      if (!transaction.remove("a", argument)) {
        throw new Refusal("nothing to move");
      }
      return entry == null ? argument : entry.value();
    }
  }
}
