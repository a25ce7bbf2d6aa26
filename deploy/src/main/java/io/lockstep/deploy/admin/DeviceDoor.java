package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the admin HTTP does for {@code devices}; called on its threads, must not block. */
public interface DeviceDoor {
  /** The path; below it {@code /MAC/VLAN}, where VLAN is {@code None} for untagged frames. */
  String PATH = "/api/v1/devices";

  /**
   * Devices, a page of 1000 at most: a page of {@link io.lockstep.core.host.HostDirectory}, or a
   * refusal with status 400 or 503.
   *
   * @param query {@code find} (an address or a place; all where it is left out) and {@code next}
   *     (from the page before)
   */
  CompletableFuture<Answer> find(Map<String, String> query);

  /** One device, at most a second old: a report, or a refusal with status 400, 404 or 503. */
  CompletableFuture<Answer> one(String id);
}
