package io.lockstep.history.nemesis;

import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.machine.ReplacedMachines.RefusedChangeException;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Versioned;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Replaces machines as an operator does, through a client of the store. Used by one thread. */
final class MachineOrders {
  private static final int CLIENT = 900_001;
  private static final int DEADLINE_MILLIS = 20_000;
  private static final int ATTEMPTS = 5;

  private static final TableDef<String, ReplacedMachines> MACHINES =
      TableDef.of(
          ReplacedMachines.TABLE,
          Codec.utf8(),
          Codec.of(ReplacedMachines::encode, ReplacedMachines::decode));

  private MachineOrders() {}

  /** Decides on the next list by the present one. */
  private interface Change {
    ReplacedMachines next(ReplacedMachines now) throws RefusedChangeException;
  }

  /**
   * Puts another machine behind an id, at the same address.
   *
   * @param incarnation higher than that of the machine before
   */
  static void replace(String cluster, List<Member> members, int id, int incarnation)
      throws IOException, InterruptedException {
    Member member = members.get(id);
    write(
        cluster,
        members,
        now ->
            now.incarnation(id) == incarnation
                ? now
                : now.replace(
                    members.size(),
                    id,
                    member.host(),
                    member.port(),
                    incarnation - now.incarnation(id)));
  }

  /** The new machine takes part. */
  static void arrived(String cluster, List<Member> members, int id, int incarnation)
      throws IOException, InterruptedException {
    write(cluster, members, now -> now.arrived(id, incarnation));
  }

  private static void write(String cluster, List<Member> members, Change change)
      throws IOException, InterruptedException {
    try (BatchingStoreClient client =
        BatchingStoreClient.open(
            BftSmartClient.connect(
                ClientConfig.of(cluster, members, CLIENT).withDeadlineMillis(DEADLINE_MILLIS)),
            ClientOptions.of("operator").withTables(ReplacedMachines.tables()),
            System::nanoTime,
            ThreadLocalRandom.current()::nextLong)) {
      Store store = Store.sharing(client, client.loop());
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (tried(store, change)) {
          return;
        }
      }
      throw new IOException("the change of machines was not answered");
    } catch (ExecutionException | RefusedChangeException e) {
      throw new IOException("the change of machines failed", e);
    } catch (TimeoutException e) {
      throw new IOException("the client gave no answer to a change of machines", e);
    }
  }

  private static boolean tried(Store store, Change change)
      throws InterruptedException, ExecutionException, TimeoutException, RefusedChangeException {
    Optional<Optional<Versioned<ReplacedMachines>>> read =
        store
            .table(MACHINES)
            .get(ReplacedMachines.KEY.toUtf8())
            .get(3 * DEADLINE_MILLIS, TimeUnit.MILLISECONDS)
            .fold(Optional::of, failure -> Optional.empty());
    if (read.isEmpty()) {
      return false;
    }
    ReplacedMachines now = read.get().map(Versioned::value).orElse(ReplacedMachines.NONE);
    long version = read.get().map(Versioned::version).orElse(0L);
    ReplacedMachines next = change.next(now);
    if (next.equals(now)) {
      return true;
    }
    return store
        .batch()
        .ifVersion(MACHINES, ReplacedMachines.KEY.toUtf8(), version)
        .put(MACHINES, ReplacedMachines.KEY.toUtf8(), next)
        .commit()
        .get(3 * DEADLINE_MILLIS, TimeUnit.MILLISECONDS)
        .fold(
            known -> known.fold(done -> true, conflict -> false, failure -> false), late -> false);
  }
}
