// Command manifests reads Kubernetes manifests from standard input and checks what no schema can:
// that they fit each other. It also reads ServiceMonitors into the Prometheus Operator's own type,
// strictly, since their schema is not among Kubernetes' own.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// manifests are the objects that make up a deployment of emergod, one of each kind.
type manifests struct {
	config     corev1.ConfigMap
	account    corev1.ServiceAccount
	service    corev1.Service
	deployment appsv1.Deployment
	budget     policyv1.PodDisruptionBudget
	autoscaler autoscalingv2.HorizontalPodAutoscaler
	network    networkingv1.NetworkPolicy
	monitor    monitoring.ServiceMonitor
}

func main() {
	data, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

func check(data []byte) error {
	m, err := read(data)
	if err != nil {
		return err
	}
	return errors.Join(m.selectors(), m.ports(), m.stopsInTime(), m.restricted())
}

// read takes the manifests apart. A field that a kind does not have is an error, and so is a kind that
// is there twice, not at all, or unknown.
func read(data []byte) (*manifests, error) {
	m := &manifests{}
	missing := map[string]any{
		"ConfigMap": &m.config, "ServiceAccount": &m.account, "Service": &m.service, "Deployment": &m.deployment,
		"PodDisruptionBudget": &m.budget, "HorizontalPodAutoscaler": &m.autoscaler,
		"NetworkPolicy": &m.network, "ServiceMonitor": &m.monitor,
	}
	for _, document := range bytes.Split(data, []byte("\n---\n")) {
		var is metav1.TypeMeta
		if err := yaml.Unmarshal(document, &is); err != nil {
			return nil, err
		}
		object, ok := missing[is.Kind]
		if !ok {
			return nil, fmt.Errorf("%q is unknown, or is there twice", is.Kind)
		}
		delete(missing, is.Kind)
		if err := yaml.UnmarshalStrict(document, object); err != nil {
			return nil, fmt.Errorf("%s: %w", is.Kind, err)
		}
	}
	for kind := range missing {
		return nil, fmt.Errorf("there is no %s", kind)
	}
	return m, nil
}

// selectors checks that whatever selects pods selects the Deployment's.
func (m *manifests) selectors() error {
	pods := labels.Set(m.deployment.Spec.Template.Labels)
	var errs []error
	for what, selector := range map[string]*metav1.LabelSelector{
		"Deployment":          m.deployment.Spec.Selector,
		"Service":             {MatchLabels: m.service.Spec.Selector},
		"PodDisruptionBudget": m.budget.Spec.Selector,
		"NetworkPolicy":       &m.network.Spec.PodSelector,
	} {
		s, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || s.Empty() || !s.Matches(pods) {
			errs = append(errs, fmt.Errorf("the %s selects %v, and not the pods, which are %v (%v)", what, s, pods, err))
		}
	}
	for _, spread := range m.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		s, err := metav1.LabelSelectorAsSelector(spread.LabelSelector)
		if err != nil || s.Empty() || !s.Matches(pods) {
			errs = append(errs, fmt.Errorf("the spread over %s selects %v", spread.TopologyKey, s))
		}
	}
	if s, err := metav1.LabelSelectorAsSelector(&m.monitor.Spec.Selector); err != nil || !s.Matches(labels.Set(m.service.Labels)) {
		errs = append(errs, fmt.Errorf("the ServiceMonitor selects %v, and not the Service", s))
	}
	if to := m.autoscaler.Spec.ScaleTargetRef; to.Kind != "Deployment" || to.Name != m.deployment.Name {
		errs = append(errs, fmt.Errorf("the HorizontalPodAutoscaler scales %s %s", to.Kind, to.Name))
	}
	if name := m.deployment.Spec.Template.Spec.ServiceAccountName; name != m.account.Name {
		errs = append(errs, fmt.Errorf("the pods run as ServiceAccount %q", name))
	}
	return errors.Join(errs...)
}

// ports checks that ports that are referred to exist, and that the server listens on them.
func (m *manifests) ports() error {
	container := m.deployment.Spec.Template.Spec.Containers[0]
	var errs []error
	open := map[string]bool{}
	for _, port := range container.Ports {
		open[port.Name] = true
		setting := map[string]string{"grpc": "EMERGOD_LISTEN", "metrics": "EMERGOD_ADMIN_LISTEN"}[port.Name]
		if listen := m.config.Data[setting]; listen != fmt.Sprintf(":%d", port.ContainerPort) {
			errs = append(errs, fmt.Errorf("port %s is %d, but %s is %q", port.Name, port.ContainerPort, setting, listen))
		}
	}
	offered := map[string]bool{}
	for _, port := range m.service.Spec.Ports {
		offered[port.Name] = true
		if !open[port.TargetPort.StrVal] {
			errs = append(errs, fmt.Errorf("the Service's port %s leads to %v", port.Name, &port.TargetPort))
		}
	}
	for _, endpoint := range m.monitor.Spec.Endpoints {
		if !offered[endpoint.Port] {
			errs = append(errs, fmt.Errorf("the ServiceMonitor scrapes port %q", endpoint.Port))
		}
	}
	for _, rule := range m.network.Spec.Ingress {
		for _, port := range rule.Ports {
			if !open[port.Port.StrVal] {
				errs = append(errs, fmt.Errorf("the NetworkPolicy allows port %v", port.Port))
			}
		}
	}
	return errors.Join(errs...)
}

// stopsInTime checks that the server is done before the kubelet kills it.
func (m *manifests) stopsInTime() error {
	delay, err1 := time.ParseDuration(m.config.Data["EMERGOD_SHUTDOWN_DELAY"])
	drain, err2 := time.ParseDuration(m.config.Data["EMERGOD_DRAIN_TIMEOUT"])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	const margin = 5 * time.Second
	grace := time.Duration(*m.deployment.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second
	if delay+drain+margin > grace {
		return fmt.Errorf("the grace period of %s is too short for a delay of %s, a drain of %s and %s more", grace, delay, drain, margin)
	}
	return nil
}

// restricted checks what Kubernetes' restricted Pod Security Standard asks for, and a read-only root.
func (m *manifests) restricted() error {
	pod := m.deployment.Spec.Template.Spec
	var lacks []string
	need := func(ok bool, what string) {
		if !ok {
			lacks = append(lacks, what)
		}
	}
	need(pod.SecurityContext.RunAsNonRoot != nil && *pod.SecurityContext.RunAsNonRoot, "runAsNonRoot")
	need(pod.SecurityContext.SeccompProfile != nil && pod.SecurityContext.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault, "seccompProfile")
	need(!pod.HostNetwork && !pod.HostPID && !pod.HostIPC, "no host namespaces")
	for _, volume := range pod.Volumes {
		need(volume.HostPath == nil, "no hostPath")
	}
	for _, c := range pod.Containers {
		need(c.SecurityContext.AllowPrivilegeEscalation != nil && !*c.SecurityContext.AllowPrivilegeEscalation, "allowPrivilegeEscalation: false")
		need(c.SecurityContext.ReadOnlyRootFilesystem != nil && *c.SecurityContext.ReadOnlyRootFilesystem, "readOnlyRootFilesystem")
		need(c.SecurityContext.Capabilities != nil && fmt.Sprint(c.SecurityContext.Capabilities.Drop) == "[ALL]", "capabilities drop ALL")
	}
	if lacks != nil {
		return fmt.Errorf("the pods lack %s", strings.Join(lacks, ", "))
	}
	return nil
}
