package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.log.disk.LogFailure;
import io.lockstep.store.log.disk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What a scripted replica has kept when it starts anew. Used by the test's thread. */
interface ScriptedMemory {
  /**
   * A log of what is there, for a process that starts.
   *
   * @param disk runs what the log does on a thread of its own
   * @param onFailure told when it can keep nothing any more
   */
  DecisionLog open(Executor disk, Consumer<LogFailure> onFailure);

  /** The process is killed: what it wrote is there. */
  void kill();

  /** The machine loses power: what was not synced is lost, in part. */
  void losePower();

  /** Forgets everything, where the replica does not run. */
  void wipe();

  /** A log of small segments on a disk that loses, tears and reorders what was not synced. */
  static OnDisk onDisk(int replica, Random random) {
    return new OnDisk(replica, random);
  }

  /** One that is there at once, and forgets only what a test takes from it. */
  final class InMemory implements ScriptedMemory {
    private MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);

    MemoryLog log() {
      return log;
    }

    @Override
    public DecisionLog open(Executor disk, Consumer<LogFailure> onFailure) {
      return log;
    }

    @Override
    public void kill() {}

    @Override
    public void losePower() {
      throw new IllegalStateException("a replica in memory has nothing to lose by power alone");
    }

    @Override
    public void wipe() {
      log = new MemoryLog(MemoryLog.Bounds.STANDARD);
    }
  }

  /** One on a disk, of whose directory a test may keep a copy and put it back later. */
  final class OnDisk implements ScriptedMemory {
    private final int replica;
    private final Random random;
    private SimulatedDisk disk;

    private OnDisk(int replica, Random random) {
      this.replica = replica;
      this.random = random;
      this.disk = new SimulatedDisk(random);
      disk.setFreeBytes(1L << 40);
    }

    @Override
    public DecisionLog open(Executor executor, Consumer<LogFailure> onFailure) {
      try {
        return DiskLog.openStepped(
            disk.open(),
            new Identity("script", replica),
            new DiskLogOptions(8192, 1024, 2048, 1 << 20, 4096, 0, random::nextLong),
            onFailure,
            executor);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void kill() {
      disk.kill();
    }

    @Override
    public void losePower() {
      disk.crash();
    }

    /** The directory as it is now. */
    SimulatedDisk copy() {
      SimulatedDisk copy = disk.copy();
      copy.setFreeBytes(1L << 40);
      return copy;
    }

    /** Puts a copy in the place of the directory of a replica that does not run. */
    void putBack(SimulatedDisk copy) {
      disk = copy.copy();
      disk.setFreeBytes(1L << 40);
    }

    @Override
    public void wipe() {
      disk.wipe();
    }

    /** Removes one file of a replica that does not run. */
    void remove(String file) {
      disk.remove(file);
    }
  }
}
