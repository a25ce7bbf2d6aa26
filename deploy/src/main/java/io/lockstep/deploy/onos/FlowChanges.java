package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.onos.FlowJson.Draft;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;

/**
 * {@code POST} and {@code DELETE /flows}. An answer comes when the store has the change and this
 * node shows it; the switch follows. Thread-safe.
 *
 * <p>Only a new name of an application makes a thread wait, for the store and at most {@link
 * #MAX_NEW_NAMES} at once; further requests with a new name are refused meanwhile.
 */
final class FlowChanges {
  /** Rules in one request. */
  static final int MAX_RULES = 1000;

  /** Rules that wait for the store. */
  private static final int MAX_WAITING = 4096;

  /** Threads that wait for the number of an application. */
  private static final int MAX_NEW_NAMES = 2;

  /** How long a request waits for the store where nothing else is said. */
  static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

  private static final String FLOWS = "flows";
  private static final String FLOW_ID = "flowId";
  private static final String APP_ID = "appId";

  private final FlowEndpoints known;
  private final OnosServices services;
  private final Duration patience;
  private final Semaphore newNames = new Semaphore(MAX_NEW_NAMES);
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Changes of flows.
   *
   * @param patience how long a request waits for the store
   */
  FlowChanges(FlowEndpoints known, OnosServices services, Duration patience) {
    this.known = known;
    this.services = services;
    this.patience = patience;
  }

  void addTo(OnosRoutes routes) {
    routes.add("POST", "/flows", this::addAll);
    routes.add("DELETE", "/flows", this::removeAll);
    routes.add(
        "DELETE",
        "/flows/application/{appId}",
        call -> {
          ApplicationId id = FlowEndpoints.application(services.core(), call.part(APP_ID));
          List<FlowRule> rules = new ArrayList<>();
          services.flows().getFlowEntriesById(id).forEach(rules::add);
          return remove(rules);
        });
    routes.add("POST", "/flows/{deviceId}", this::addOne);
    routes.add("DELETE", "/flows/{deviceId}/{flowId}", this::removeOne);
  }

  private CompletableFuture<OnosAnswer> addOne(Call call) {
    DeviceId device = FlowEndpoints.device(call);
    Draft draft = FlowJson.read(JsonFields.of(call.body()), device, call.query().get(APP_ID));
    FlowRule rule = rules(List.of(draft)).get(0);
    String location = OnosRouter.ROOT + "/flows/" + device + "/" + rule.id().value();
    return write(List.of(rule), false, OnosAnswer.empty(201).with("Location", location));
  }

  private CompletableFuture<OnosAnswer> addAll(Call call) {
    JsonFields body = JsonFields.of(call.body());
    List<Draft> drafts = new ArrayList<>();
    for (JsonFields one : body.objects(FLOWS, MAX_RULES)) {
      drafts.add(FlowJson.read(one, null, call.query().get(APP_ID)));
    }
    body.end();
    if (drafts.isEmpty()) {
      throw body.wrong(FLOWS, "has no flow");
    }
    List<FlowRule> rules = rules(drafts);
    return write(rules, false, OnosAnswer.ok(places(rules)));
  }

  private static ObjectNode places(List<FlowRule> rules) {
    ObjectNode json = OnosAnswer.object();
    ArrayNode flows = json.putArray(FLOWS);
    for (FlowRule rule : rules) {
      flows
          .addObject()
          .put(FlowJson.DEVICE_ID, rule.deviceId().toString())
          .put(FLOW_ID, Long.toString(rule.id().value()));
    }
    return json;
  }

  private List<FlowRule> rules(List<Draft> drafts) {
    Map<String, ApplicationId> ids = new HashMap<>();
    List<FlowRule> rules = new ArrayList<>();
    for (Draft draft : drafts) {
      rules.add(draft.of(ids.computeIfAbsent(draft.application(), this::application)));
    }
    return rules;
  }

  private ApplicationId application(String name) {
    CoreService core = services.core();
    ApplicationId id = core.getAppId(name);
    if (id != null) {
      return id;
    }
    if (!newNames.tryAcquire()) {
      throw RefusedException.notNow("other applications are being registered: try again");
    }
    try {
      return core.registerApplication(name);
    } catch (IllegalStateException e) {
      throw RefusedException.notNow("appId: " + e.getMessage());
    } finally {
      newNames.release();
    }
  }

  private CompletableFuture<OnosAnswer> removeOne(Call call) {
    long id = FlowEndpoints.flowId(call.part(FLOW_ID));
    return remove(List.of(FlowEndpoints.find(known.entries(FlowEndpoints.device(call)), id)));
  }

  private CompletableFuture<OnosAnswer> removeAll(Call call) {
    JsonFields body = JsonFields.of(call.body());
    List<FlowRule> rules = new ArrayList<>();
    Map<DeviceId, List<FlowEntry>> entries = new HashMap<>();
    for (JsonFields one : body.objects(FLOWS, MAX_RULES)) {
      DeviceId device = FlowJson.device(one, null);
      long id = one.bits(FLOW_ID);
      one.end();
      rules.add(FlowEndpoints.find(entries.computeIfAbsent(device, known::entries), id));
    }
    body.end();
    if (rules.isEmpty()) {
      throw body.wrong(FLOWS, "has no flow");
    }
    return remove(rules);
  }

  private CompletableFuture<OnosAnswer> remove(List<FlowRule> rules) {
    return write(rules, true, OnosAnswer.empty(204));
  }

  /**
   * Writes.
   *
   * @param done the answer where all is stored; ready before, since the control loop gives it
   */
  private CompletableFuture<OnosAnswer> write(
      List<FlowRule> rules, boolean remove, OnosAnswer done) {
    if (waiting.addAndGet(rules.size()) > MAX_WAITING && waiting.get() > rules.size()) {
      waiting.addAndGet(-rules.size());
      throw RefusedException.notNow(MAX_WAITING + " flows wait for the store: try again");
    }
    CompletableFuture<Integer> written;
    try {
      written = services.writer().write(rules, remove);
    } catch (IllegalArgumentException e) {
      waiting.addAndGet(-rules.size());
      throw RefusedException.wrong(String.valueOf(e.getMessage()));
    }
    return written
        .whenComplete((stored, failure) -> waiting.addAndGet(-rules.size()))
        .thenApply(stored -> answer(rules.size(), stored, done))
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(this::late);
  }

  private static OnosAnswer answer(int asked, int stored, OnosAnswer done) {
    return stored == asked
        ? done
        : OnosAnswer.error(
            503,
            "the store has "
                + stored
                + " of "
                + asked
                + " changes, as far as is known: GET the flows, and try again");
  }

  private OnosAnswer late(Throwable failure) {
    if (failure instanceof TimeoutException) {
      return OnosAnswer.error(
          504, "no answer in " + patience.toSeconds() + " s: GET tells whether it was done");
    }
    throw new IllegalStateException("writing flows failed", failure);
  }
}
