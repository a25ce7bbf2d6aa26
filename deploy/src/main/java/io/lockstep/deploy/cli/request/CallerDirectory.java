package io.lockstep.deploy.cli.request;

import io.lockstep.deploy.process.OperatorException;
import io.lockstep.keys.CallerKeys;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the keys of whoever runs a command. */
final class CallerDirectory {
  private static final Set<PeerRole> PEOPLE =
      Set.of(PeerRole.READ, PeerRole.OPERATE, PeerRole.ADMIN);

  private CallerDirectory() {}

  /**
   * Reads a directory.
   *
   * @throws OperatorException where there is none, it cannot be used, or it is no person's
   */
  static CallerKeys read(@Nullable Path directory) throws OperatorException {
    if (directory == null) {
      throw new OperatorException(
          "https needs the certificate of the cluster's authority",
          "give --keys DIR, or set LOCKSTEP_KEYS: a directory of ./lockstep pki issue --role read,"
              + " operate or admin");
    }
    try {
      CallerKeys keys = CallerKeys.open(directory, InstantSource.system());
      PeerIdentity own = keys.own();
      if (own != null && !PEOPLE.contains(own.role())) {
        throw new OperatorException(
            directory + " has the keys of " + own + ", and nodes let only people ask",
            "make some with ./lockstep pki issue --role read, operate or admin NAME");
      }
      return keys;
    } catch (KeysException e) {
      throw new OperatorException("keys: " + e.getMessage(), e.remedy());
    }
  }
}
