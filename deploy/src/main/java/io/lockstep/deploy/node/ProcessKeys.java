package io.lockstep.deploy.node;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.LinkSecurity;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of this process, if it has any, and the thread that looks for new ones. */
public final class ProcessKeys implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProcessKeys.class);

  private final @Nullable LinkKeys links;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "keys");
            thread.setDaemon(true);
            return thread;
          });

  private ProcessKeys(@Nullable LinkKeys links) {
    this.links = links;
  }

  /**
   * Reads the keys that a file names, and begins to look for new ones. Says in the log how links
   * are protected.
   *
   * @throws OperatorException where they cannot be used, or are another process's
   */
  static ProcessKeys open(NodeSettings settings) throws OperatorException {
    LinkKeys links = read(settings);
    ProcessKeys keys = new ProcessKeys(links);
    if (links != null) {
      links.lookEvery(keys.looks);
      log.info(
          "links of the cluster are encrypted by {}; certificate {} of {} until {}",
          LinkKeys.engine(),
          links.own().serialText(),
          links.own(),
          links.own().notAfter());
    } else if (settings.security().insecure()) {
      log.warn(
          "INSECURE: the file says 'insecure: true', so everyone who reaches the ports of the store and"
              + " of nodes can change the state of the cluster; make keys with ./lockstep pki");
    }
    return keys;
  }

  /**
   * Reads the keys that a file names, and no more.
   *
   * @throws OperatorException as {@link #open}
   */
  public static void check(NodeSettings settings) throws OperatorException {
    var unused = read(settings);
  }

  private static @Nullable LinkKeys read(NodeSettings settings) throws OperatorException {
    LinkSecurity security = settings.security();
    KeyFiles files = security.keys();
    if (files == null) {
      return null;
    }
    LinkKeys links;
    try {
      links = LinkKeys.open(files, InstantSource.system());
    } catch (KeysException e) {
      throw new OperatorException("keys: " + e.getMessage(), e.remedy());
    }
    PeerIdentity own = links.own();
    if (own.role() != PeerRole.NODE
        || !own.name().equals(settings.nodeId())
        || !own.cluster().equals(settings.cluster())) {
      throw new OperatorException(
          "keys: "
              + files.certificate()
              + " is of "
              + own
              + " of cluster '"
              + own.cluster()
              + "', but this process is node "
              + settings.nodeId()
              + " of cluster '"
              + settings.cluster()
              + "'",
          "./lockstep pki issue --role node " + settings.nodeId() + " makes the right ones");
    }
    return links;
  }

  /** For all connections; null where this process has no keys. */
  @Nullable LinkKeys links() {
    return links;
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
