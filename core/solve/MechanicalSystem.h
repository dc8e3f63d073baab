// The mechanical face of a DAE, for methods that take the equations of motion apart instead of solving F(t, y, y') = 0:
//
//   q' = v,  M(q, t) v' = f(q, v, t) - G^T lambda,  0 = g(q, t),  G = dg/dq                              [PP92] (2.1)
//
// q, v n coordinates and velocities; lambda m multipliers; y = (q, v, lambda). With p = M v the second equation reads
// p' = f + M' v - G^T lambda, M' the derivative of M along the motion: for a Lagrangian L = T - U without further forces
// f + M' v = dL/dq. All pointers address n, m or the stated number of values.
#pragma once

#include <cstdint>
#include <span>

#include "core/solve/MatrixPlace.h"

namespace driftless::solve {

/// Which level of its constraints a form states that offers this face.
enum class Mechanics {
    None,     ///< it offers none
    Velocity, ///< G v + g_t = 0
    Position  ///< g = 0
};

class MechanicalSystem {
public:
    virtual ~MechanicalSystem() = default;

    virtual int coordinates() const = 0; ///< n
    virtual int constraints() const = 0; ///< m
    virtual Mechanics level() const = 0;
    virtual bool constantMass() const = 0;                           ///< M depends on neither q nor t
    virtual bool forceReadsVelocities() const = 0;                   ///< f depends on v
    virtual std::uint64_t revision() const = 0;                      ///< counts up when parameters may have changed
    virtual std::span<const MatrixPlace> massPlaces() const = 0;     ///< both triangles
    virtual std::span<const MatrixPlace> gradientPlaces() const = 0; ///< of G

    // False when a value left its domain; the DAE's domainMessage() then says where. None allocates.
    virtual bool mass(double t, const double* q, double* values) = 0;                   ///< on massPlaces()
    virtual bool massRate(double t, const double* q, const double* v, double* out) = 0; ///< M' v
    virtual bool force(double t, const double* q, const double* v, double* f) = 0;
    virtual bool constraint(double t, const double* q, double* g) = 0;
    virtual bool gradient(double t, const double* q, double* values) = 0;                      ///< on gradientPlaces()
    virtual bool constraintRate(double t, const double* q, const double* v, double* rate) = 0; ///< G v + g_t
    virtual bool curvature(double t, const double* q, const double* v, double* gamma) = 0;     ///< g'' - G v'
};

} // namespace driftless::solve
