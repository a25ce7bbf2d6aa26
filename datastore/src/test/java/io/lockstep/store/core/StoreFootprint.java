package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.Request;
import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Prints what a store of many entries takes: memory per entry, and how long a snapshot takes to
 * begin, to write to a file and to restore. Keys of 16 bytes in random order, values of 100 bytes.
 * Run alone, with as many entries as the argument says and a fixed heap:
 *
 * <pre>java -Xms8g -Xmx8g -XX:+UseSerialGC -cp ... io.lockstep.store.core.StoreFootprint 1000000
 * </pre>
 */
final class StoreFootprint {
  private static final int BATCH = 64;
  private static final int PIECE_BYTES = 1 << 18;

  private StoreFootprint() {}

  public static void main(String[] arguments) throws IOException {
    int entries = Integer.parseInt(arguments[0]);
    StoreStateMachine machine = new StoreStateMachine(List.of());
    long empty = usedBytes();
    print("empty", (double) empty);
    long start = System.nanoTime();
    fill(machine, entries);
    long filled = System.nanoTime();
    print("filled, s", (filled - start) / 1e9);
    print("bytes per entry", (double) (usedBytes() - empty) / entries);
    Path file = Files.createTempFile("footprint", ".snapshot");
    try {
      write(machine, file);
      machine = new StoreStateMachine(List.of());
      usedBytes();
      restore(machine, file);
      print("bytes per entry, restored", (double) (usedBytes() - empty) / entries);
    } finally {
      Files.delete(file);
    }
    print("index", (double) machine.index());
  }

  private static void fill(StoreStateMachine machine, int entries) {
    Request.Operation open =
        new Request.Operation(0, new Command.OpenSession(1, "footprint", 600_000));
    Reply opened = machine.apply(0, new Request(0, 0, List.of(open))).replies().get(0);
    long session = ((Reply.SessionOpened) opened).sessionId();
    Request.Operation create =
        new Request.Operation(0, new Command.CreateTable("footprint", TableSpec.values()));
    machine.apply(0, new Request(session, 0, List.of(create)));
    Random random = new Random(1);
    for (long i = 0; i < entries; i += BATCH) {
      List<Request.Operation> operations = new ArrayList<>();
      for (long id = i; id < Math.min(entries, i + BATCH); id++) {
        Bytes key =
            Bytes.wrap(ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(id).array());
        byte[] value = new byte[100];
        random.nextBytes(value);
        Command put = new Command.Put("footprint", key, Bytes.wrap(value));
        operations.add(new Request.Operation(id + 1, put));
      }
      machine.apply(0, new Request(session, i, operations));
    }
  }

  private static void write(StoreStateMachine machine, Path file) throws IOException {
    long start = System.nanoTime();
    long longest = 0;
    int pieces = 0;
    try (StateSnapshot snapshot = machine.snapshot();
        OutputStream out = Files.newOutputStream(file)) {
      long begun = System.nanoTime();
      print("begin, ms", (begun - start) / 1e6);
      boolean more = true;
      long last = begun;
      while (more) {
        more = snapshot.writeSome(out, PIECE_BYTES);
        long now = System.nanoTime();
        longest = Math.max(longest, now - last);
        last = now;
        pieces++;
      }
    }
    print("write, s", (System.nanoTime() - start) / 1e9);
    print("pieces", pieces);
    print("longest piece, ms", longest / 1e6);
    print("file, MB", Files.size(file) / 1e6);
  }

  private static void restore(StoreStateMachine machine, Path file) throws IOException {
    long start = System.nanoTime();
    try (InputStream in = Files.newInputStream(file)) {
      machine.restore(in);
    }
    print("restore, s", (System.nanoTime() - start) / 1e9);
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static void print(String what, double figure) {
    System.out.printf("%s: %.3f%n", what, figure);
  }
}
