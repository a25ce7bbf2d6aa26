package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The audit trail behind the admin HTTP; called on its threads, must not block. */
public interface AuditDoor {
  /** The path; its query may have {@code next}, from the page before. */
  String PATH = "/api/v1/audit";

  /** The header in which a program names its user; a later release takes certificates instead. */
  String USER_HEADER = "Lockstep-User";

  /**
   * A change that was answered.
   *
   * @param user who made it, {@code unknown} where the request does not say
   * @param path with its query
   * @param oldVersion that the change was decided on; empty for none
   * @param newVersion that it made; empty for none
   */
  record Change(
      String user, String method, String path, int status, String oldVersion, String newVersion) {}

  /** Appends a change; completes normally, also where that failed and was logged. */
  CompletableFuture<?> changed(Change change);

  /** A page of the trail, oldest first, or a refusal with status 400 or 503. */
  CompletableFuture<Answer> page(Map<String, String> query);
}
