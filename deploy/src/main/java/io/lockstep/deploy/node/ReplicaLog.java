package io.lockstep.deploy.node;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.log.disk.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens what the replica of this process keeps, as the configuration says. */
final class ReplicaLog {
  private static final Logger log = LoggerFactory.getLogger(ReplicaLog.class);

  private ReplicaLog() {}

  /**
   * Opens the log. A disk that fails later ends the process: what the replica acknowledges from
   * then on would not be kept.
   *
   * @param replicaNumber of the replica among all
   * @throws OperatorException where the directory cannot or must not be used
   */
  static DecisionLog open(NodeSettings settings, int replicaNumber) throws OperatorException {
    Path directory = settings.store().directory();
    if (directory == null) {
      // Nobody shall learn this by losing everything.
      log.warn(
          "state is in memory only: it survives the loss of a minority of the replicas,"
              + " and is gone when all of them have stopped");
      return new MemoryLog(MemoryLog.Bounds.STANDARD);
    }
    try {
      log.info("state is on disk, in {}", directory);
      return DiskLog.open(
          FileStorage.open(directory),
          new Identity(settings.cluster(), replicaNumber),
          DiskLogOptions.usual(),
          failure -> Halt.replicaHalted(failure.toString()));
    } catch (RefusedException refused) {
      throw OperatorException.of("store.directory", refused);
    } catch (IOException e) {
      throw OperatorException.of("store.directory: " + directory + " cannot be used", e);
    }
  }
}
